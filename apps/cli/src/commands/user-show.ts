import { defineSteps } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { shownUserView } from '../views/shown-user-view.ts';
import { USER } from './shared-options.ts';

export const userShow = defineSteps({
  verb: 'show',
  summary: 'Show a user: the last sign-in, the API tokens, the organizations and the sessions',
  arguments: { email: USER },
  notes: ['`gatehouse token list --creator EMAIL` lists the tokens of the user.'],
  examples: ['gatehouse user show bo@acme.example', 'gatehouse user show bo@acme.example --json'],
  prints: 'item',
  async steps({ showUser, showSignInMeans }, caller, { email }, { printer }) {
    const shown = unwrap(await showUser(caller, { email }));
    const means = shown.user.kind === 'person' ? unwrap(await showSignInMeans(caller, { email })) : null;
    await printer.item({ ...shown, means }, shownUserView);
  },
});
