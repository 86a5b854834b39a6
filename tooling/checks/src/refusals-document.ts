import { PROVIDER_REFUSALS, type ProviderRefusal } from '@gatehouse/domain/identity-providers';
import { REFUSAL_SCENES } from '@gatehouse/domain/testing';
import { PROVIDER_FAILURE_SCENES } from '@gatehouse/openid/testing';
import { REFUSAL_SENTENCES } from '@gatehouse/pages/refusal-words';
import { markdownTable } from './markdown-table.ts';

/** The scenes of the tests, by the reason that each of them leads to. A reason without a scene does not compile. */
const SCENES: Readonly<Record<ProviderRefusal, object>> = { ...REFUSAL_SCENES, ...PROVIDER_FAILURE_SCENES };

/** The part of the sign-in that finds a reason, for operators. */
const FOUND: Readonly<Record<(typeof PROVIDER_REFUSALS)[ProviderRefusal], string>> = {
  begin: 'before the browser goes to the provider',
  return: 'when the browser comes back',
  provider: 'in the exchange with the provider',
  person: 'when Gatehouse decides who the person is',
  role: 'when Gatehouse decides about the role',
};

/** Returns docs/operate/identity-providers/refusals.md: every refusal, from the tables that servers and tests use. */
export function refusalsDocument(): string {
  const reasons = Object.keys(PROVIDER_REFUSALS) as readonly ProviderRefusal[];
  const rows = reasons.map((reason) => [
    `\`${reason}\``,
    FOUND[PROVIDER_REFUSALS[reason]],
    REFUSAL_SENTENCES[reason],
    Object.keys(SCENES[reason]).join('; '),
  ]);
  return `# Refused sign-ins with an identity provider

This page is generated. A sign-in, a link or a confirmation with an identity provider ends with one of these reasons, if it does
not succeed. The reason is on the page that the person sees, in the line \`provider_sign_in\` of the log with a detail for
operators, and in the metric \`gatehouse_provider_sign_ins_total\`. Reasons that concern a known user are in the audit log, too.

The last column lists the cases in which the tests provoke the reason: with a hostile provider, or with a scene of the domain
(\`packages/openid/testing/refused-sign-ins.ts\`, \`packages/domain/testing/refusal-scenes.ts\`).

${markdownTable(['reason', 'found', 'what the person reads', 'provoked by'], rows)}
`;
}
