/**
 * The envelope of every response (docs/api-conventions.md#envelope): success with the call's
 * fields, or failure with a message and a code.
 */
import { z } from 'zod';

/** Body of a failed call. */
export const failureBody = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type FailureBody = z.infer<typeof failureBody>;

/** Output of a call whose only field is `data`. */
export const dataOf = <T extends z.ZodType>(data: T) => z.object({ data });

/** Output of a call that only reports success. */
export const nothing = z.object({ data: z.object({}).default({}) });
