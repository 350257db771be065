/**
 * Lets a connection of smtp-server take addresses whose dots lead, end or follow one another (`a..b@docomo.example`). RFC 5321
 * has no such local parts, but mobile carriers gave them out and their owners write mail. Everything else stays refused.
 */
import type { SMTPServer } from 'smtp-server';

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;
type Parsed = false | { address: string };
type Internals = { _parseAddressCommand: (name: string, command: Buffer | string) => Parsed };

/** A command with a plain local part; masked, it has a local part that no parser minds. */
const COMMAND = /^([^<]*<)([a-z0-9.!#$%&'*+/=?^_`{|}~-]+)(@[^<>@\s]+>.*)$/is;

/** Call it before the connection's first command. */
export function takeDottedSenders(connection: Connection): void {
  const internals = connection as unknown as Internals;
  const parse = internals._parseAddressCommand.bind(connection);
  internals._parseAddressCommand = (name, command) => {
    const parsed = parse(name, command);
    if (parsed !== false) return parsed;
    const [, head = '', local = '', tail = ''] = COMMAND.exec(command.toString()) ?? [];
    if (!/[^.]/.test(local)) return false;
    const masked = parse(name, `${head}${'x'.repeat(local.length)}${tail}`);
    if (masked === false) return false;
    masked.address = local + masked.address.slice(local.length);
    return masked;
  };
}
