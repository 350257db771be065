// Runs SQL on the embedded PostgreSQL of a product under test, to damage stored data. Implements
// the minimum of the wire protocol (PostgreSQL manual, "Message Flow", simple query) over the
// database's socket. Does not read results.
import net from 'node:net';
import path from 'node:path';
import type { Product } from './product.ts';

const PROTOCOL_VERSION = 196_608;

function startup(): Buffer {
  const words = Buffer.from('user\0keyfold\0database\0postgres\0\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + words.length, 0);
  head.writeInt32BE(PROTOCOL_VERSION, 4);
  return Buffer.concat([head, words]);
}

function query(sql: string): Buffer {
  const words = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(4 + words.length, 1);
  return Buffer.concat([head, words]);
}

/**
 * Runs one statement and resolves with its command tag, such as "UPDATE 1". Rejects with the
 * database's error message.
 */
export const runSql = (product: Product, sql: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(path.join(product.dataDir, 'postgres/.s.PGSQL.5432'));
    let waiting = Buffer.alloc(0);
    let done = '';
    let isAsked = false;
    socket.once('error', reject);
    socket.once('connect', () => socket.write(startup()));
    socket.on('data', chunk => {
      waiting = Buffer.concat([waiting, Buffer.from(chunk)]);
      while (waiting.length >= 5 && waiting.length > waiting.readInt32BE(1)) {
        const end = 1 + waiting.readInt32BE(1);
        const kind = String.fromCharCode(waiting[0] ?? 0);
        const words = waiting.toString('utf8', 5, end);
        waiting = waiting.subarray(end);
        if (kind === 'C') done = words.replace(/\0$/, '');
        if (kind === 'E') reject(new Error(words.replaceAll('\0', ' ')));
        if (kind !== 'Z' && kind !== 'E') continue;
        if (kind === 'E' || isAsked) {
          socket.end();
          resolve(done);
        } else socket.write(query(sql));
        isAsked = true;
      }
    });
  });
