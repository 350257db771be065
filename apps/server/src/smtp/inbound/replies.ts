/**
 * Refusals of mail: SMTP codes with enhanced status codes (RFC 3463) in the text, because
 * smtp-server's own table has only one per basic code. No reply repeats what the client sent.
 */

/**
 * A refusal in the form that smtp-server expects: the code in `responseCode`, the rest as the
 * message.
 */
export class SmtpRefusal extends Error {
  override readonly name = 'SmtpRefusal';
  readonly responseCode: number;

  constructor(responseCode: number, text: string) {
    super(text);
    this.responseCode = responseCode;
  }
}

const REFUSALS = {
  relay: [550, '5.7.1 Relaying denied'],
  unknownUser: [550, '5.1.1 No such mailbox'],
  mailboxFull: [552, '5.2.2 The mailbox is full'],
  mailboxOff: [450, '4.2.1 The mailbox does not accept mail at present'],
  tooManyRefused: [421, '4.7.0 Too many unknown recipients'],
  tooManyOfNetwork: [450, '4.7.1 Too many unknown recipients from your network, try again later'],
  tooMuch: [450, '4.7.1 Too many messages from your network, try again later'],
  greylisted: [451, '4.7.1 Greylisted: try again in five minutes'],
  oneAtATime: [452, '4.5.3 A bounce may have only one recipient: send to the others separately'],
  looping: [554, '5.4.6 Mail loop detected'],
  disowned: [550, '5.7.1 The message failed DMARC and is rejected by the policy of its domain'],
  bareLineEnd: [550, '5.5.2 Bare CR or LF in the message: lines must end with CR LF'],
  tooLarge: [552, '5.3.4 The message is too large'],
  headerTooLarge: [552, '5.3.4 The header of the message is too large'],
  noSpace: [452, '4.3.1 Insufficient storage, try again later'],
  tryLater: [451, '4.3.0 The message could not be stored, try again later'],
  abandoned: [451, '4.3.0 The message was not sent completely'],
  tooSlow: [421, '4.4.2 The message took too long'],
  tooMany: [421, '4.7.0 Too many connections, try again later'],
  closing: [421, '4.3.2 Closing for maintenance, try again later'],
} as const satisfies Record<string, readonly [number, string]>;

const TEXTS: ReadonlySet<unknown> = new Set(Object.values(REFUSALS).map(([, text]) => text));

/**
 * Whether a reply's text is one of these refusals. The code that decides on a refusal also logs it.
 */
export const isRefusalText = (text: unknown): boolean => TEXTS.has(text);

export type Refusal = keyof typeof REFUSALS;

export function refusal(name: Refusal): SmtpRefusal {
  const [code, text] = REFUSALS[name];
  return new SmtpRefusal(code, text);
}
