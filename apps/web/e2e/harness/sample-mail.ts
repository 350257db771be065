// Typed sample data for viewing the components without a server. Never part of the built program.
import type {
  ConversationView,
  MailRowView,
  MessageView,
  TagView,
} from '../../src/features/mail/state/view-model.ts';

export const sampleTags = [
  { name: 'Work', color: 'blue', unread: 12, total: 20 },
  { name: 'Travel', color: 'peach', unread: 3, total: 20 },
  { name: 'Family', color: 'pink', unread: 0, total: 20 },
  { name: 'Invoices', color: 'mint', unread: 2, total: 20 },
  { name: 'Reading', color: 'lavender', unread: 8, total: 20 },
  { name: 'Urgent', color: 'yellow', unread: 1, total: 20 },
  { name: 'Garden', color: 'green', unread: 0, total: 20 },
  { name: 'Archive 2025', color: 'gray', unread: 0, total: 20 },
] as const;

const tags = (...names: string[]): TagView[] =>
  sampleTags.filter(tag => names.includes(tag.name)).map(({ name, color }) => ({ name, color }));

/** Returns the date this many hours ago, as a row's date. */
const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

const plainRow: MailRowView = {
  id: '',
  threadId: '',
  threadCount: 1,
  fromName: '',
  fromAddress: 'somebody@partner.example',
  subject: '',
  snippet: '',
  date: ago(1),
  unread: false,
  starred: false,
  attachmentCount: 0,
  tags: [],
  sealed: 'outside',
  alert: false,
  place: 'other',
  activity: 'none',
};

const firstRows: Partial<MailRowView>[] = [
  {
    fromName: 'Ines Almeida',
    subject: 'Lisbon offsite: rooms, dinner and the Thursday walk',
    snippet:
      'Everything is booked. I put the floor plan and the invoice below, can you check the room names before noon?',
    date: ago(0.2),
    unread: true,
    starred: true,
    tags: tags('Work', 'Travel'),
    attachmentCount: 2,
    sealed: 'known',
    threadCount: 3,
  },
  {
    fromName: 'Tomasz Wilk',
    subject: 'Re: Key rotation plan',
    snippet:
      'Agreed on wrapping the second stage key again instead of the bodies. One open question about the signature',
    date: ago(0.7),
    unread: true,
    tags: tags('Work'),
    sealed: 'known',
    threadCount: 7,
  },
  {
    fromName: 'Deutsche Bahn',
    subject: 'Your booking confirmation: Berlin to Lisbon',
    snippet: 'Order 882 310 771. Please keep this message, your ticket is attached as a PDF file.',
    date: ago(1),
    tags: tags('Travel'),
    attachmentCount: 1,
  },
  {
    fromName: 'Mum',
    subject: 'Photos from the garden',
    snippet:
      'The pear tree is finally in bloom! I attached eleven pictures, the one with the cat is my favourite',
    date: ago(1.2),
    starred: true,
    tags: tags('Family', 'Garden'),
    attachmentCount: 11,
    sealed: 'known',
    threadCount: 2,
  },
  {
    fromName: 'Unknown sender',
    isNobody: true,
    subject: '[ could not be decrypted ]',
    snippet: 'Failed to decrypt message. Only the headers can be shown.',
    date: ago(1.5),
    unread: true,
    sealed: 'failed',
  },
  {
    fromName: 'Stripe',
    subject: 'Receipt #2041-8831 from Plus plan',
    snippet: 'Amount paid €48.00. Thank you for your payment, a copy of the invoice is attached.',
    date: ago(28),
    tags: tags('Invoices'),
    attachmentCount: 1,
  },
  {
    fromName: 'Priya Natarajan, Jonas',
    subject: 'Source protection checklist v4',
    snippet:
      'Jonas added the part about fingerprints, I think the wording for the share code is now clear enough',
    date: ago(30),
    tags: tags('Urgent', 'Work', 'Reading'),
    attachmentCount: 1,
    sealed: 'known',
    threadCount: 12,
  },
  {
    fromName: 'The Margin Letter',
    subject: 'Why small tools win',
    snippet: 'This week: an essay on patience, three short reviews and a map of every lighthouse in Norway.',
    date: ago(52),
    unread: true,
    tags: tags('Reading'),
  },
  {
    fromName: 'Keyfold',
    subject: 'New sign-in from Firefox on Linux',
    snippet: 'If this was you there is nothing to do. If not, change your password and end the session.',
    date: ago(54),
    alert: true,
  },
  {
    fromName: 'Nadia Rahman',
    subject: 'Contract, signed copy',
    snippet:
      'Signed and scanned. The annex still carries the old address, could you send me a corrected page?',
    date: ago(76),
    starred: true,
    tags: tags('Work', 'Invoices'),
    attachmentCount: 3,
    sealed: 'known',
    threadCount: 4,
  },
  {
    fromName: 'Bicycle workshop',
    subject: 'Ready for collection',
    snippet: 'Your bicycle is ready. We replaced the chain and both brake cables, the bill is 84 euro.',
    date: ago(80),
    activity: 'pending',
  },
  {
    fromName: 'Lena Fischer',
    subject: 'Dinner on Saturday?',
    snippet:
      'We found the small place by the canal again. Eight o’clock, table for six, bring your good stories',
    date: ago(190),
    tags: tags('Family'),
    sealed: 'known',
    threadCount: 5,
    activity: 'unsent',
  },
];

export const SAMPLE_TOTAL = 2_400;

/** Many rows; the first dozen show everything a row can contain. */
export const sampleRows: MailRowView[] = Array.from({ length: SAMPLE_TOTAL }, (_, index) => ({
  ...plainRow,
  ...firstRows[index % firstRows.length],
  ...(index >= firstRows.length
    ? { unread: false, activity: 'none' as const, date: ago(220 + index * 3) }
    : {}),
  id: `m${index}`,
  threadId: `t${index}`,
}));

export const sampleHtml = `<p>Hi,</p><p>everything for the <b>Lisbon offsite</b> is booked now. The short version:</p>
<ul><li>Arrival Wednesday evening, we share two vans from the airport</li><li>Dinner on Thursday at the harbour, eight o'clock</li><li>The walk starts at the lighthouse, bring real shoes</li></ul>
<p>I attached the floor plan and the invoice. <b>Can you check the room names before noon?</b> The hotel wants them <a href="https://hotel.example/rooms?id=1">today</a>.</p><p>See you soon,<br>Ines</p><blockquote type="cite">Shall we take the vans?</blockquote>`;

export const sampleMessage =
  '<table width="100%" style="background:#F4EFE6"><tr><td style="padding:24px"><table width="100%" style="background:#fff;border-radius:6px"><tr><td style="padding:28px;font-family:Georgia,serif"><h1 style="color:#8A2B2B;margin:0 0 8px;font-size:26px">The Margin Letter</h1><p style="color:#444">Why small tools win: an essay on patience, three short reviews and a map of every lighthouse in Norway.</p></td></tr></table></td></tr></table>';

const me = { name: 'Mara Keller', address: 'mara@keyfold.test' };
const ines = { name: 'Ines Almeida', address: 'ines@harborlight.example' };
const tomasz = { name: 'Tomasz Wilk', address: 'tomasz@wilk.example' };

const message = (over: Partial<MessageView> & Pick<MessageView, 'id' | 'from' | 'snippet'>): MessageView => ({
  to: [me, tomasz],
  cc: [],
  bcc: [],
  date: ago(30),
  written: null,
  unread: false,
  security: {
    kind: 'verified',
    person: 'Ines',
    details: [
      { label: 'Sealed with', value: 'ML-KEM-1024 + X25519, HKDF-SHA256, AES' },
      { label: 'Key', value: 'q83vASNFZ4mrze8BI0VniavN7wE=' },
      { label: 'DMARC', value: 'pass' },
    ],
    confirmedDomain: null,
    sendAt: null,
    isSenderProven: true,
    inContacts: true,
    warnings: [],
  },
  body: {
    kind: 'text',
    text: 'None for me. Could we start the walk an hour later?\n\n> See https://a.example/walk?x=1.',
    recovered: false,
    isForward: false,
  },
  remote: null,
  attachments: [],
  isDraft: false,
  isNotice: false,
  isSpam: false,
  unsubscribe: null,
  ...over,
});

/** The conversation of the first row. */
export const sampleConversation: ConversationView = {
  id: 'm0',
  subject: 'Lisbon offsite: rooms, dinner and the Thursday walk',
  isSubjectUnproven: false,
  tags: tags('Work', 'Travel'),
  starred: true,
  unread: true,
  place: 'other',
  daysLeft: null,
  messages: [
    message({
      id: 'a',
      from: me,
      snippet: 'I can take the Thursday dinner, are there any allergies I should tell them',
      date: ago(49),
    }),
    message({
      id: 'b',
      from: tomasz,
      snippet: 'None for me. Could we start the walk an hour later',
      date: ago(28),
    }),
    message({
      id: 'c',
      from: ines,
      snippet: 'Everything is booked.',
      date: ago(0.2),
      body: { kind: 'html', html: sampleHtml, hasOwnColors: false, recovered: false, isForward: false },
      attachments: [
        {
          id: '1',
          name: 'floor-plan.pdf',
          sizeBytes: 1_489_000,
          mimeType: 'application/pdf',
          state: 'ready',
          progressPercent: null,
          canPreview: false,
        },
        {
          id: '2',
          name: 'invoice-0231.pdf',
          sizeBytes: 217_170,
          mimeType: 'application/pdf',
          state: 'loading',
          progressPercent: 40,
          canPreview: false,
        },
      ],
    }),
  ],
};

/** A conversation whose last message could not be opened. */
export const failedConversation: ConversationView = {
  ...sampleConversation,
  id: 'm4',
  subject: '[ could not be decrypted ]',
  tags: [],
  messages: sampleConversation.messages.map(item =>
    item.id === 'c'
      ? {
          ...item,
          attachments: [],
          remote: { blockedImages: 7, knownTrackers: 2, urls: ['https://a.test/x.png'], loading: null },
          security: {
            kind: 'failed',
            person: 'Unknown sender',
            details: [],
            confirmedDomain: null,
            sendAt: null,
            isSenderProven: false,
            inContacts: false,
            warnings: [],
          },
        }
      : item,
  ),
};
