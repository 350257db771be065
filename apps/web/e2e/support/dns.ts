// A DNS server for tests: answers TXT and MX queries over UDP from a zone that the test may change
// at any time. Names without records do not exist; queries for a name that is down fail.
import dgram from 'node:dgram';

export type Zone = Record<string, { TXT?: string[]; MX?: [number, string][]; isDown?: true }>;

export type StoryDns = { readonly server: string; readonly zone: Zone; readonly close: () => void };

const types = { MX: 15, TXT: 16 } as const;
const SERVFAIL = 2;
const NXDOMAIN = 3;
const PIECE_CHARACTERS = 250;

const wireName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map(label => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

const textData = (text: string): Buffer =>
  Buffer.concat(
    (text.match(new RegExp(`.{1,${PIECE_CHARACTERS}}`, 'g')) ?? ['']).map(piece =>
      Buffer.from([piece.length, ...Buffer.from(piece)]),
    ),
  );

const mxData = ([priority, host]: [number, string]): Buffer =>
  Buffer.concat([Buffer.from([priority >> 8, priority & 0xff]), wireName(host)]);

/** Encodes one record for the name in the question. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  // A pointer to the question, which starts after the header.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function answer(zone: Zone, message: Buffer): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let size = message[at] ?? 0; size > 0; size = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + size).toLowerCase());
    at += size + 1;
  }
  const type = message.readUInt16BE(at + 1);
  const known = zone[labels.join('.')];
  const records =
    type === types.TXT
      ? (known?.TXT ?? []).map(text => record(type, textData(text)))
      : type === types.MX
        ? (known?.MX ?? []).map(one => record(type, mxData(one)))
        : [];
  const head = Buffer.from(message.subarray(0, at + 5));
  head.writeUInt16BE(0x8180 | (known === undefined ? NXDOMAIN : known.isDown ? SERVFAIL : 0), 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...records]);
}

/** Starts the server on a free port. */
export async function startStoryDns(): Promise<StoryDns> {
  const zone: Zone = {};
  const socket = dgram.createSocket('udp4');
  socket.on('message', (message, peer) => socket.send(answer(zone, message), peer.port, peer.address));
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', () => resolve()));
  return { server: `127.0.0.1:${socket.address().port}`, zone, close: () => socket.close() };
}
