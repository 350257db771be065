/** The operator's settings for payments by Stripe. Base layer. */
import { z } from 'zod';
import { isSafeOrigin } from './safe-address.ts';

export type PaymentConfig = {
  /** Undefined: payments are disabled. `apiBase` is an origin. */
  readonly stripe:
    | { readonly secretKey: string; readonly webhookSecret: string; readonly apiBase: string }
    | undefined;
};

/** Environment variables. */
export const paymentEnvironment = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_[A-Za-z0-9_]+$/, 'must be a secret or restricted Stripe key (sk_… or rk_…)')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/=_-]+$/, 'must be the signing secret of a webhook endpoint (whsec_…)')
    .optional(),
  STRIPE_API_BASE: z
    .string()
    .refine(isSafeOrigin, 'must be https:// and a host without a path, or http:// on this machine')
    .default('https://api.stripe.com'),
} as const;

type Given = z.output<z.ZodObject<typeof paymentEnvironment>>;

/** Reads the settings. */
export const readPaymentConfig = ({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_BASE: apiBase,
}: Given): PaymentConfig => ({
  stripe:
    secretKey && webhookSecret ? { secretKey, webhookSecret, apiBase: new URL(apiBase).origin } : undefined,
});

/** Returns a one-line description of a key without the other; null when both or none are set. */
export function findPaymentProblem(given: Given): string | null {
  const names = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
  const missing = names.filter(name => given[name] === undefined);
  if (missing.length !== 1) return null;
  return `${names.find(name => name !== missing[0])}: requires ${missing[0]}`;
}
