// Invented mail for screenshots: a mailbox after a week of use. All people in it are fictional.
import type { OutsideMail } from './outside.ts';

export const me = { name: 'Mara Keller', username: 'mara' } as const;
const to = 'mara@keyfold.test';

const newsletter = `<div style="background:#fbf6ec;padding:24px;font-family:Georgia,serif;color:#3b2f1e">
<p style="letter-spacing:.12em;font-size:12px;color:#9a6a1f;margin:0 0 8px">THE MARGIN LETTER, NO. 118</p>
<h1 style="margin:0 0 12px;font-size:28px;color:#7a3b12">Why small tools win</h1>
<p>The workshop at the end of our street has had the same vice for sixty years. It does one thing. It has never asked
anybody to sign in.</p>
<p>This week: <b>an essay on patience</b>, three reader letters about repair, and a plan for a bookshelf that needs
eleven cuts and no screws.</p>
<blockquote style="border-left:3px solid #c98a3a;margin:16px 0;padding-left:14px;color:#6b4a1e">A tool is finished when
you stop noticing it.</blockquote>
<p><a href="https://margin.example/118?reader=8841" style="color:#9a4d12">Read it in the browser</a></p>
<img src="https://margin.example/open.gif?reader=8841" width="1" height="1" alt=""></div>`;

const pdf = (kilobytes: number): Uint8Array => new Uint8Array(kilobytes * 1024).fill(37);

/** External messages, oldest first. */
export const outsideMessages: readonly OutsideMail[] = [
  {
    to,
    from: { name: 'Allotment Society', address: 'office@allotments.example' },
    subject: 'Water is turned off on Saturday',
    text: 'Dear members,\n\nthe taps on both paths are closed from Saturday noon until spring. Please empty your hoses.\n\nThe committee',
  },
  {
    to,
    from: { name: 'Nadia Rahman', address: 'nadia@northline.example' },
    subject: 'Contract, signed copy',
    text: 'Signed and scanned. I will bring the original on Thursday.\n\nNadia',
    file: { name: 'contract-signed.pdf', type: 'application/pdf', bytes: pdf(212) },
  },
  {
    to,
    from: { name: 'The Margin Letter', address: 'letter@margin.example' },
    subject: 'Why small tools win',
    html: newsletter,
  },
  {
    to,
    from: { name: 'Priya Natarajan', address: 'priya@fieldnotes.example' },
    subject: 'Source protection checklist v4',
    text: 'Jonas added the part about borders. Could you read section 3 before we send it to print?',
    file: { name: 'checklist-v4.odt', type: 'application/vnd.oasis.opendocument.text', bytes: pdf(88) },
  },
  {
    to,
    from: { name: 'Ledger & Co', address: 'billing@ledger.example' },
    subject: 'Receipt 2041-8831',
    text: 'Amount paid: 48.00 EUR. Thank you. You can find the receipt in the attachment.',
    file: { name: 'receipt-2041-8831.pdf', type: 'application/pdf', bytes: pdf(41) },
  },
  {
    to,
    from: { name: 'Mum', address: 'helga@keller.example' },
    subject: 'Photos from the garden',
    text: 'The pear tree is finally bare. I put four jars aside for you, and the cat has moved into the shed.\n\nLove, Mum',
  },
  {
    to,
    from: { name: 'Harbour Rail', address: 'tickets@harbour-rail.example' },
    subject: 'Your booking: Berlin to Lisbon, 26 November',
    text: 'Order 882 310 771. Please show the code in the attachment on the train.\n\nCoach 7, seats 41 and 42.',
    file: { name: 'ticket.pdf', type: 'application/pdf', bytes: pdf(64) },
  },
];

/**
 * A local conversation in the order in which it is written; each message replies to the previous
 * one.
 */
export const offsite = {
  subject: 'Lisbon offsite: rooms, dinner and the Thursday walk',
  first: 'I can take the Thursday dinner. Are there any allergies I should tell them about?\n\nInes',
  second: 'None for me. Could we start the walk an hour later?\n\nTomasz',
  third: [
    'Hi,',
    '',
    'everything for the Lisbon offsite is booked now. The short version:',
    '',
    '  • Arrival on Wednesday evening, we share two vans from the airport',
    "  • Dinner on Thursday at the harbour, eight o'clock",
    '  • The walk starts at the lighthouse at ten, bring real shoes',
    '',
    'I attached the floor plan and the invoice. Can you check the room names before noon? The hotel wants them today:',
    'https://hotel.example/rooms?booking=7713',
    '',
    'See you soon,',
    'Ines',
  ].join('\n'),
  files: [
    { name: 'floor-plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf(1454)) },
    { name: 'invoice-0231.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf(212)) },
  ],
};

export const keyPlan = {
  subject: 'Key rotation plan',
  text: 'Agreed on wrapping the second stage key again instead of sealing every mail anew. Draft is in the wiki.\n\nTomasz',
};

/** Ages, in minutes before "now", at which the messages are shown to have arrived, newest first. */
export const AGES_MINUTES = [
  22, 51, 68, 103, 190, 1_500, 1_560, 1_940, 2_900, 3_300, 4_400, 5_900, 7_300, 8_800,
] as const;
