// What the service worker hands to a window that goes to an address of this site. The bytes were checked by then or run nothing;
// what came with them was not, and headers can lead elsewhere, bring a style sheet or take a policy away. So every answer is
// made anew with the headers that are known to be harmless. Runs in the service worker alone.

/** What can only forbid more than the page forbids by itself. */
const policies = ['content-security-policy', 'integrity-policy', 'permissions-policy'];
const common = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
/** For what is no page of the program: nothing runs in it, and nothing leaves it. */
const lifeless = {
  ...common,
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Of several types browsers take the last one; only a single one says what it says. */
const single = /^[\w.+-]+\/[\w.+-]+(?:;[^,]*)?$/;
const inert = /^(?:text\/plain|application\/json|image\/(?:png|webp))(?:;|$)/;

/** The type of an answer; plain text when it has none, or more than one. */
function typeOf({ headers }: Response): string {
  const type = headers.get('content-type') ?? '';
  return single.test(type) ? type : 'text/plain';
}

/** Whether browsers draw an answer without running anything in it. */
export const isInert = (answer: Response): boolean => inert.test(typeOf(answer));

/** The start page, whose bytes were found right. */
export async function pageAnswer(found: Response): Promise<Response> {
  const headers = new Headers({ ...common, 'content-type': 'text/html; charset=utf-8' });
  for (const name of policies) {
    const policy = found.headers.get(name);
    if (policy !== null) headers.set(name, policy);
  }
  return new Response(await found.arrayBuffer(), { headers });
}

/** The frame of a mail, whose bytes were found right, and which says itself what it may load. */
export const frameAnswer = ({ body }: Response): Response =>
  new Response(body, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    },
  });

/** Anything else: a file, what the API answers, the page about the API. */
export function lifelessAnswer(found: Response): Response {
  const { body, status, statusText } = found;
  // A redirect that was not followed is the browser's to follow: where it leads comes back here, or is another site.
  if (found.type === 'opaqueredirect' || found.type === 'error') return found;
  const headers = new Headers({ ...lifeless, 'content-type': typeOf(found) });
  const kept = found.headers.get('content-disposition');
  if (kept !== null) headers.set('content-disposition', kept);
  return new Response(body, { status, statusText, headers });
}
