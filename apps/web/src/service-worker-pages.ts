// Builds the service worker's responses to navigations within this site. By then the body has been
// verified or cannot run anything, but its headers have not: they could redirect, add a style sheet
// or remove a policy. Every response is therefore rebuilt with only the headers known to be
// harmless. Runs only in the service worker.

/** Policies that can only restrict the page further. */
const policies = ['content-security-policy', 'integrity-policy', 'permissions-policy'];
const common = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
/**
 * Headers for responses other than the app's pages: nothing runs in them, and nothing leaves them.
 */
const lifeless = {
  ...common,
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Browsers use the last of several types, so only a single type is reliable. */
const single = /^[\w.+-]+\/[\w.+-]+(?:;[^,]*)?$/;
const inert = /^(?:text\/plain|application\/json|image\/(?:png|webp))(?:;|$)/;

/** Returns the content type of a response; plain text if it has none, or more than one. */
function typeOf({ headers }: Response): string {
  const type = headers.get('content-type') ?? '';
  return single.test(type) ? type : 'text/plain';
}

/** Returns whether browsers render a response without running anything in it. */
export const isInert = (answer: Response): boolean => inert.test(typeOf(answer));

/** Builds the response for the start page, whose bytes have been verified. */
export async function pageAnswer(found: Response): Promise<Response> {
  const headers = new Headers({ ...common, 'content-type': 'text/html; charset=utf-8' });
  for (const name of policies) {
    const policy = found.headers.get(name);
    if (policy !== null) headers.set(name, policy);
  }
  return new Response(await found.arrayBuffer(), { headers });
}

/**
 * Builds the response for the frame of a message. Its bytes have been verified, and it declares
 * itself what it may load.
 */
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

/** Builds the response for anything else: a file, an API response, the API documentation page. */
export function lifelessAnswer(found: Response): Response {
  const { body, status, statusText } = found;
  // The browser itself follows an unfollowed redirect; the target returns to this worker or is
  // another site.
  if (found.type === 'opaqueredirect' || found.type === 'error') return found;
  const headers = new Headers({ ...lifeless, 'content-type': typeOf(found) });
  const kept = found.headers.get('content-disposition');
  if (kept !== null) headers.set('content-disposition', kept);
  return new Response(body, { status, statusText, headers });
}
