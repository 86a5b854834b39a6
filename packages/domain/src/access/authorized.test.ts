import { expectTypeOf, test } from 'vitest';
import type * as accounts from '../accounts/index.ts';
import type * as audit from '../audit/index.ts';
import type * as health from '../health/index.ts';
import type * as organizations from '../organizations/index.ts';
import type * as signIn from '../sign-in/index.ts';
import type * as signingKeys from '../signing-keys/index.ts';
import type * as suggestions from '../suggestions/index.ts';
import type * as tokens from '../tokens/index.ts';
import type * as users from '../users/index.ts';
import { type AuthorizedUseCase, authorized } from './authorized.ts';
import type { Operator, Principal } from './caller.ts';
import { READ_ME } from './rules.ts';

/** The names of exports that make a function whose first parameter takes a user or the operator. */
type UseCaseNames<Exports> = {
  [Name in keyof Exports]: Exports[Name] extends (
    ...ports: never
  ) => (caller: infer Caller, ...input: never) => unknown
    ? unknown extends Caller
      ? never
      : Principal extends Caller
        ? Name
        : Operator extends Caller
          ? Name
          : never
    : never;
}[keyof Exports];

type MadeWithout<Exports> = {
  [Name in UseCaseNames<Exports>]: Exports[Name] extends { readonly [Key in keyof Mark]: true }
    ? never
    : Name;
}[UseCaseNames<Exports>];

type Mark = Pick<
  AuthorizedUseCase<never, never, never, never>,
  keyof AuthorizedUseCase<never, never, never, never>
>;

test('every exported use case that acts for a caller is made by `authorized`', () => {
  type Exports = typeof accounts &
    typeof audit &
    typeof health &
    typeof organizations &
    typeof signIn &
    typeof signingKeys &
    typeof suggestions &
    typeof tokens &
    typeof users;
  // Runs before anything is signed, for the server's start and for `createKey`, which asks the rule itself.
  expectTypeOf<MadeWithout<Exports>>().toEqualTypeOf<'ensureKeys'>();
});

test('a use case made without it is found', () => {
  const made = authorized(READ_ME, () => async () => 'done');
  const forgotten = () => async (caller: Principal) => caller.origin;
  expectTypeOf<
    MadeWithout<{ made: typeof made; forgotten: typeof forgotten }>
  >().toEqualTypeOf<'forgotten'>();
});
