import { type Mutation, mutation } from '../mutation.ts';

const SCRIPT = 'packages/pages/src/assets/try-it.js';

/** The reference of the API, from which a reader tries requests: requirement 110. */
export const REFERENCE_MUTATIONS: readonly Mutation[] = [
  mutation([110], 'The field of a pasted token has a name, as in a form that is sent.', {
    file: 'packages/pages/src/reference/try-it.ts',
    find: 'class="masked" data-token',
    replace: 'name="token" class="masked" data-token',
  }),
  mutation([110], 'A pasted token stays in its field when the page is left.', {
    file: SCRIPT,
    find: '    form.reset();\n',
  }),
  mutation([110], 'A request that is tried has the cookies of the session.', {
    file: SCRIPT,
    find: "credentials: 'omit'",
    replace: "credentials: 'include'",
  }),
];
