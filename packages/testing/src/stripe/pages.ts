// The two pages of the peer that payers see: the first payment, and the billing portal.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { completeSession } from './payments.ts';
import type { PeerPrice } from './shapes.ts';
import type { PrivateState } from './state.ts';

const page = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${content}</main></html>`;

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A button that pays, and a link back. */
const paymentPage = ({ unit_amount, recurring }: PeerPrice, cancelUrl: string): string =>
  page(
    'Pay here',
    `<p>€${(unit_amount / 100).toFixed(2)} a ${recurring.interval}</p>
    <form method="post"><button>Subscribe</button></form>
    <a href="${attribute(cancelUrl)}">Back</a>`,
  );

/** Only a link back. */
const portalPage = (returnUrl: string): string =>
  page('Your invoices', `<a href="${attribute(returnUrl)}">Back</a>`);

function findPage({ portals, sessions }: PrivateState, kind: string, id: string): string | null {
  const session = kind === 'pay' ? sessions.get(id) : undefined;
  if (session !== undefined) return paymentPage(session.price, session.cancel_url);
  const returnUrl = portals.get(id);
  return returnUrl === undefined ? null : portalPage(returnUrl);
}

/** Answers a request for a page; a POST pays. Throws Refusal. */
export function showPage(
  state: PrivateState,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): void {
  const [, kind = '', id = ''] = url.pathname.split('/');
  const session = kind === 'pay' ? state.sessions.get(id) : undefined;
  if (session !== undefined && request.method === 'POST') {
    response.writeHead(303, { location: completeSession(state, session) }).end();
    return;
  }
  const found = findPage(state, kind, id);
  response
    .writeHead(found === null ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    .end(found ?? 'Not found');
}
