import { isStorable } from '@gatehouse/domain';
import { EMAIL_MAX_LENGTH, isPasswordTooLong, PASSWORD_MAX_LENGTH } from '@gatehouse/domain/users';
import { defineRoute, named } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

const textField = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .min(1, 'must not be empty')
  .refine(isStorable, 'must not hold U+0000 or a lone surrogate');

const tooLong = (most: number) => `must be at most ${most} characters long`;

/** The body of a sign-in, in any supported content type. Unknown members are dropped. */
export const signInRequest = named(
  'SignInRequest',
  z.object(
    {
      email: textField.max(EMAIL_MAX_LENGTH, tooLong(EMAIL_MAX_LENGTH)).meta({
        description: "The user's email; upper and lower case are the same.",
      }),
      password: textField
        .refine((typed) => !isPasswordTooLong(typed), tooLong(PASSWORD_MAX_LENGTH))
        .meta({
          description: `The user's password, of at most ${PASSWORD_MAX_LENGTH} code points: no character is trimmed, and the normal form (RFC 8265) does not matter.`,
        }),
    },
    'must be an object',
  ),
);

export const signIn = defineRoute({
  operationId: 'signIn',
  method: 'POST',
  path: '/api/v1/auth.json',
  tag: 'Authentication',
  summary: 'Sign in',
  description:
    'Trades an email and a password for a token. Of a repeated member the last counts; other members are ignored. There is no place for the code of a second factor: a user who has one, or must have one, gets the answer to a wrong password. Create an API token on the pages instead.',
  public: true,
  body: signInRequest,
  success: {
    status: 200,
    description: 'A token that acts for the user.',
    body: named(
      'SignInAnswer',
      z.strictObject({
        token: z.string().min(1).meta({ description: 'The bearer token of the requests that follow.' }),
      }),
    ),
    cacheControl: 'no-store',
    headers: { 'X-Token-Expires-At': { description: 'When the token ends.', format: 'date-time' } },
  },
  problems: ['credentials_not_accepted', 'too_many_attempts', 'overloaded'],
});
