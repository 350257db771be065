// The two pages of the peer that a person sees: paying for the first time, and what was paid.

type Shown = { readonly unit_amount: number; readonly recurring: { readonly interval: string } };

const page = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${content}</main></html>`;

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A button that pays, and the way back. */
export const paymentPage = ({ unit_amount, recurring }: Shown, cancelUrl: string): string =>
  page(
    'Pay here',
    `<p>€${(unit_amount / 100).toFixed(2)} a ${recurring.interval}</p>
    <form method="post"><button>Subscribe</button></form>
    <a href="${attribute(cancelUrl)}">Back</a>`,
  );

/** Nothing but the way back. */
export const portalPage = (returnUrl: string): string =>
  page('Your invoices', `<a href="${attribute(returnUrl)}">Back</a>`);
