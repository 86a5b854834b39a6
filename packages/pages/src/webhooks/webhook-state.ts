import type { Webhook } from '@gatehouse/domain/webhooks';
import { state } from '../elements/inline.ts';
import type { Html } from '../html.ts';

/** Shows whether a webhook receives its events. */
export function webhookState({ disabled, failingSince }: Webhook): Html {
  if (disabled) return state('neutral', 'Disabled');
  return failingSince === null ? state('good', 'Enabled') : state('warning', 'Failing');
}
