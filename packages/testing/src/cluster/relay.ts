// Lets a node in a network namespace reach a test's peers, which listen on the machine's loopback
// address. Run once on the machine and once in each namespace, it forwards TCP connections and UDP
// packets from one address to another, port by port.
//   node relay.ts LISTEN_ADDRESS TARGET_ADDRESS PORT...
import dgram from 'node:dgram';
import net from 'node:net';
import process from 'node:process';

const [from = '', to = '', ...ports] = process.argv.slice(2);
/** Timeout for the answer to a UDP packet, ms. */
const ANSWER_MS = 5_000;

const relayTcp = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = net.createServer(socket => {
      const target = net.connect(port, to);
      socket.pipe(target).pipe(socket);
      socket.on('error', () => target.destroy());
      target.on('error', () => socket.destroy());
      socket.once('close', () => target.destroy());
      target.once('close', () => socket.destroy());
    });
    server.once('error', reject);
    server.listen(port, from, resolve);
  });

const relayUdp = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = dgram.createSocket('udp4');
    server.on('message', (packet, asker) => {
      const target = dgram.createSocket('udp4');
      const end = setTimeout(() => target.close(), ANSWER_MS);
      target.on('error', () => undefined);
      target.once('message', answer => {
        clearTimeout(end);
        server.send(answer, asker.port, asker.address);
        target.close();
      });
      target.send(packet, port, to);
    });
    server.once('error', reject);
    server.bind(port, from, resolve);
  });

await Promise.all(ports.flatMap(port => [relayTcp(Number(port)), relayUdp(Number(port))]));
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
