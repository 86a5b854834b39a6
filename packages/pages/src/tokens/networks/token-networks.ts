import { networkTexts, parseTokenId, type ShownTokenNetworks } from '@gatehouse/domain/tokens';
import { type FieldErrors, formView, type SomeValues } from '../../elements/form.ts';
import { button, buttonLink } from '../../elements/inline.ts';
import { backTo } from '../../elements/part.ts';
import { html } from '../../html.ts';
import { networksPath, tokenPath } from '../../paths.ts';
import type { PagePorts } from '../../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../../session/given-password.ts';
import type { PageRequest } from '../../session/page-request.ts';
import type { SignedInPage } from '../../session/signed-in.ts';
import {
  denied,
  errorPage,
  type FormOutcome,
  type Outcome,
  redirect,
  type View,
  withAlert,
} from '../../view.ts';
import { NETWORKS_REQUIRED } from '../rules-in-words.ts';
import { MODE, NETWORKS, networksOf, OLDER_EDITION } from './fields.ts';
import { proposalPart } from './proposal.ts';

type Ports = Pick<PagePorts, 'confirmPassword' | 'isProxyTrusted' | 'setTokenNetworks' | 'showTokenNetworks'>;

const FIELDS = { networks: NETWORKS, mode: MODE, ...PASSWORD_FIELD } as const;

type Typed = Omit<SomeValues<typeof FIELDS>, 'password' | 'code'>;

/**
 * `/settings/api/{id}/networks`: limits a token to networks, or removes its networks. The list is filled in with the
 * networks of the token or, if it has none, with those from which it was used. An empty list removes the networks.
 */
export function tokenNetworksPage(ports: Ports): SignedInPage<typeof FIELDS> {
  function form(
    request: PageRequest,
    shown: ShownTokenNetworks,
    typed: Typed = {},
    errors: FieldErrors = [],
  ): View {
    const { id, name, networks } = shown.token;
    const listed = networks
      ? networkTexts(networks)
      : shown.proposed.networks.map(({ network }) => network.cidr);
    return formView(request, {
      title: `Networks of ${name}`,
      above: backTo(tokenPath(id), 'Back to the token'),
      lead: html`<p class="lead">Requests with the token from outside of these networks are refused within a second, or only reported. An empty list allows requests from everywhere.</p>
${proposalPart(shown, request.now, ports.isProxyTrusted)}`,
      action: networksPath(id),
      fields: FIELDS,
      values: {
        networks: typed.networks ?? listed.join('\n'),
        mode: typed.mode ?? networks?.mode ?? 'report-only',
      },
      errors,
      content: (field) => html`${field('networks')}
${field('mode')}
${passwordAgain(request, field)}
<p class="actions">${button('Save networks', 'primary')}${buttonLink(tokenPath(id), 'Cancel')}</p>`,
    });
  }

  async function find(request: PageRequest) {
    const id = parseTokenId(request.params.id ?? '');
    return id === undefined ? undefined : ports.showTokenNetworks(request.caller, id);
  }

  return {
    async show(request, typed): Promise<Outcome> {
      const found = await find(request);
      if (found === undefined) return errorPage('not_found');
      if (!found.ok)
        return found.error.code === 'ambiguous_token_name' ? errorPage('not_found') : denied(found.error);
      return form(request, found.value, typed);
    },
    form: {
      fields: FIELDS,
      async submit(request, { networks: text, mode, ...secrets }): Promise<FormOutcome> {
        const found = await find(request);
        if (found === undefined) return errorPage('not_found');
        if (!found.ok)
          return found.error.code === 'ambiguous_token_name' ? errorPage('not_found') : denied(found.error);
        const typed = { networks: text, mode };
        const given = networksOf(text, mode);
        if (!given)
          return form(request, found.value, typed, [
            { field: 'mode', message: 'Choose what the networks do.' },
          ]);
        const confirmed = await confirmGivenPassword(ports, request, secrets, (errors) =>
          form(request, found.value, typed, errors),
        );
        if (!confirmed.ok) return confirmed.error;
        const { id } = found.value.token;
        const networks = text.trim() === '' ? null : given;
        const set = await ports.setTokenNetworks(confirmed.value.caller, { id, networks });
        if (set.ok) return redirect(tokenPath(id), networks === null ? 'networks_removed' : 'networks_set');
        const again = (errors: FieldErrors = []) => form(confirmed.value, found.value, typed, errors);
        switch (set.error.code) {
          case 'invalid_input':
            return again(set.error.problems.map(({ message }) => ({ field: 'networks', message })));
          case 'older_edition_serves':
            return withAlert(again(), OLDER_EDITION, 409);
          case 'networks_required':
            return again([{ field: 'networks', message: NETWORKS_REQUIRED }]);
          case 'networks_not_settable':
            return withAlert(again(), 'Only an API token that has not ended can have networks.', 409);
          default:
            return denied(set.error);
        }
      },
    },
  };
}
