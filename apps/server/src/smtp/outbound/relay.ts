/**
 * Delivery through a relay (SMTP_RELAY) instead of directly to the recipients' servers: parses its
 * URL and connects. A password is sent only over verified TLS or to this machine.
 */
import net from 'node:net';
import { UnreachableError } from './unreachable.ts';

export type Relay = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps). */
  readonly isSecure: boolean;
  readonly isOwnMachine: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
};

const CONNECT_TIMEOUT_MS = 30_000;
const PORTS = { secure: 465, submission: 587, plain: 25 } as const;

/** Parses a relay's URL, which the configuration has already validated. */
export function parseRelay(text: string): Relay {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'smtps:';
  const login =
    url.username === ''
      ? null
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  const usual = isSecure ? PORTS.secure : login === null ? PORTS.plain : PORTS.submission;
  return {
    host,
    port: url.port === '' ? usual : Number(url.port),
    isSecure,
    isOwnMachine: host === 'localhost' || host === '::1' || /^127\./.test(host),
    login,
  };
}

/**
 * Connects to the relay. Rejects with UnreachableError, never a permanent one: the operator can fix
 * the relay.
 */
export const connectRelay = (relay: Relay): Promise<net.Socket> =>
  new Promise((resolve, reject) => {
    const socket = net.connect({ host: relay.host, port: relay.port });
    const refuse = (cause: unknown) => {
      socket.destroy();
      reject(new UnreachableError('4.4.1', 'The relay could not be reached', false, cause));
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => refuse(new Error('The relay connection timed out')));
    // Stays attached: an error after the promise is settled still needs a listener.
    socket.on('error', refuse);
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
  });
