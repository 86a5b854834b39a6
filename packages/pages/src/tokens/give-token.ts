import { err, ok, type Result } from '@gatehouse/domain';
import { parseTokenId, type TokenStatus } from '@gatehouse/domain/tokens';
import { type FieldErrors, formView, type SomeValues } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import type { Found, Refused } from '../page-use-cases.ts';
import { giveTokenPath, tokenPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import {
  denied,
  type ErrorPage,
  errorPage,
  type FormOutcome,
  type Outcome,
  redirect,
  type View,
  withAlert,
} from '../view.ts';

type Ports = Pick<PagePorts, 'confirmPassword' | 'findDisableFacts' | 'giveToken' | 'showTokens'>;

const FIELDS = {
  owner: { label: 'New owner', type: 'select', isRequired: true },
  ...PASSWORD_FIELD,
} as const;

type Owners = Pick<Found<'findDisableFacts'>, 'owners' | 'moreOwners'>;

interface Shown extends Owners {
  readonly token: TokenStatus;
}

/** `/settings/api/{id}/give`: gives a token to a service account or to another admin. The token keeps its secret. */
export function giveTokenPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function find({ caller, params }: PageRequest): Promise<Result<Shown, ErrorPage>> {
    const id = parseTokenId(params.id ?? '');
    if (id === undefined) return err(errorPage('not_found'));
    const found = await ports.showTokens(caller, [id]);
    if (!found.ok)
      return err(found.error.code === 'invalid_input' ? errorPage('not_found') : denied(found.error));
    const [token] = found.value;
    if (!token) return err(errorPage('not_found'));
    const facts = await ports.findDisableFacts(caller, { id: token.userId });
    if (!facts.ok) return err(denied(facts.error));
    const owners = facts.value.owners.filter(({ role }) => token.user.role === 'admin' || role === 'member');
    return ok({ token, owners, moreOwners: facts.value.moreOwners });
  }

  return {
    async show(request, typed): Promise<Outcome> {
      const found = await find(request);
      return found.ok ? giveView(request, found.value, typed) : found.error;
    },
    form: {
      fields: FIELDS,
      async submit(request, values): Promise<FormOutcome> {
        const found = await find(request);
        if (!found.ok) return found.error;
        const again = (errors: FieldErrors) => giveView(request, found.value, values, errors);
        if (values.owner === '') return again([{ field: 'owner', message: 'is required' }]);
        const confirmed = await confirmGivenPassword(ports, request, values, again);
        if (!confirmed.ok) return confirmed.error;
        const { id } = found.value.token;
        const given = await ports.giveToken(confirmed.value.caller, { id, to: { email: values.owner } });
        return given.ok ? redirect(tokenPath(id), 'token_given') : refused(given.error, again);
      },
    },
  };
}

function refused(error: Refused<'giveToken'>, again: (errors: FieldErrors) => View): Outcome {
  const at = (message: string) => again([{ field: 'owner', message }]);
  switch (error.code) {
    case 'token_name_taken':
      return at('The new owner already has a token of this name. Rename one of the two tokens first.');
    case 'transfer_target_not_fit':
      return at('must be another active admin of your account, or an active service account');
    case 'transfer_raises_rights':
      return at('has more rights than the owner, who is a member');
    case 'token_not_updatable':
      return withAlert(
        again([]),
        'This token cannot be given away: it is being rotated, has ended, or was made by a sign-in.',
        409,
      );
    default:
      return denied(error);
  }
}

function giveView(
  request: PageRequest,
  { token, owners, moreOwners }: Shown,
  values: SomeValues<typeof FIELDS> = {},
  errors: FieldErrors = [],
): View {
  const { id, name: text, user } = token;
  const options = Object.fromEntries(
    owners.map(({ kind, name, email }) => [
      email,
      kind === 'service' ? `${name} (service account)` : `${name} (${email})`,
    ]),
  );
  const field = moreOwners
    ? ({
        type: 'text',
        hint: 'The email of an active admin, or the ID of a service account and @service.invalid.',
      } as const)
    : { options: { '': 'Choose an owner', ...options } };
  return formView(request, {
    title: `Give ${text}`,
    above: backTo(tokenPath(id), 'Back to the token'),
    lead: warning(
      html`<p><strong>The token keeps its secret, and gets the rights of the new owner.</strong> Programs that use it need no new token. Now it belongs to ${user.email}.</p>`,
    ),
    action: giveTokenPath(id),
    fields: FIELDS,
    values,
    errors,
    content: (show) => html`${show('owner', field)}
${passwordAgain(request, show)}
<p class="actions">${button('Give token', 'primary')}${buttonLink(tokenPath(id), 'Cancel')}</p>`,
  });
}
