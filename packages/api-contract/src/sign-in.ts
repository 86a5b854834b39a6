import { EMAIL_MAX_LENGTH, PASSWORD_MAX_LENGTH } from '@gatehouse/domain/users';
import { z } from 'zod';

/** Text that a database column and a UTF-8 answer can hold. */
const storable = (text: string) => !text.includes('\u0000') && text.isWellFormed();

const textField = (maxLength: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
    .min(1, 'must not be empty')
    .max(maxLength, `must be at most ${maxLength} characters long`)
    .refine(storable, 'must not hold U+0000 or a lone surrogate');

/** The body of a sign-in, in whichever content type. Members that are not named here are dropped. */
export const signInRequest = z.object(
  { email: textField(EMAIL_MAX_LENGTH), password: textField(PASSWORD_MAX_LENGTH) },
  'must be an object',
);

export type SignInRequest = z.infer<typeof signInRequest>;

export const signInAnswer = z.strictObject({ token: z.string().min(1) });

export type SignInAnswer = z.infer<typeof signInAnswer>;
