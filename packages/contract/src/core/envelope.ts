/**
 * The shape around every answer (docs/api-conventions.md#envelope): success with the call's fields, or a failure with message and
 * code.
 */
import { z } from 'zod';

/** What a failing call answers with. */
export const failureBody = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type FailureBody = z.infer<typeof failureBody>;

/** The output of a call whose only field is `data`. */
export const dataOf = <T extends z.ZodType>(data: T) => z.object({ data });

/** The output of a call that has nothing to say but that it worked. */
export const nothing = z.object({ data: z.object({}).default({}) });
