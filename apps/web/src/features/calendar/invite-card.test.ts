// The card as markup: untrusted text stays text, links lead through the page that shows their
// target, and an unauthenticated sender causes a warning before answering
// (docs/interpretations.md#93).
import { readInvitation } from '@keyfold/mail/ics/invitation';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { InviteCard } from './InviteCard.tsx';
import { toInviteView } from './invite-view.ts';

function markup(lines: readonly string[], isSenderDoubtful = false): string {
  const text = [
    'BEGIN:VCALENDAR',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:1',
    'DTSTART:20360401T100000Z',
    'ORGANIZER:mailto:ada@x',
    'ATTENDEE:mailto:bob@x',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');
  const invitation = readInvitation(new TextEncoder().encode(text), { now: new Date(), zone: 'UTC' });
  const invite = {
    mailId: 'm',
    messageId: '',
    isSent: false,
    receivedAt: '',
    from: 'ada@x',
    needsProof: false,
    isDoubtful: false,
    read: { kind: 'read' as const, invitation },
    files: [0],
  };
  const view = toInviteView(invite, invitation, [invite], address => address === 'bob@x', null);
  const nothing = () => undefined;
  return renderToStaticMarkup(
    createElement(InviteCard, {
      view,
      isSenderDoubtful,
      busy: null,
      hasFailed: false,
      onAnswer: nothing,
      onRetry: nothing,
      onDownload: nothing,
    }),
  );
}

test('renders untrusted text as text, never as markup', () => {
  const html = markup([
    'SUMMARY:<img src=x onerror=alert(1)>',
    'LOCATION:<script>alert(1)</script>',
    'COMMENT:<b>x</b>',
  ]);
  expect(html).not.toMatch(/<img|<script|<b>x/);
  expect(html).toContain('&lt;img');
});

test('web addresses lead to the link page, and other schemes are not linked', () => {
  const html = markup([
    'LOCATION:Meet at https://meet.example/a?b=c.',
    'URL:javascript:alert(1)',
    'DESCRIPTION:javascript:alert(2)',
  ]);
  expect(html).toContain('href="/link#url=https%3A%2F%2Fmeet.example%2Fa%3Fb%3Dc"');
  expect(html.match(/href=/g)).toHaveLength(1);
});

test('an unconfirmed sender triggers a warning above the answers', () => {
  const warning = 'The sender of this invitation can’t be confirmed';
  expect(markup(['SUMMARY:Tea'])).not.toContain(warning);
  const html = markup(['SUMMARY:Tea'], true);
  expect(html.indexOf(warning)).toBeGreaterThan(0);
  expect(html.indexOf(warning)).toBeLessThan(html.indexOf('>Accept'));
});

test('a video meeting becomes a link of its own, without dial-in numbers and separators', () => {
  const html = markup([
    `DESCRIPTION:Bring the plan.\\n${'_'.repeat(80)}\\nMicrosoft Teams meeting\\nJoin here<https://teams.microsoft.com/l/meetup-join/19x>\\n+49 69 123456789\\,\\,12#\\nPhone Conference ID: 12#\\n${'_'.repeat(80)}`,
  ]);
  expect(html).toContain('Bring the plan.');
  expect(html).toContain('/link#url=https%3A%2F%2Fteams.microsoft.com%2Fl%2Fmeetup-join%2F19x');
  expect(html).not.toMatch(/____|\+49|Phone Conference/);
});
