import { err, ok, type Result } from '@gatehouse/domain';
import { parseWebhookId, type WebhookId } from '@gatehouse/domain/webhooks';
import type { Found, PageUseCases } from '../page-use-cases.ts';
import type { PageRequest } from '../session/page-request.ts';
import { denied, type ErrorPage, errorPage } from '../view.ts';

/** Returns the id in the address of the page, or the error page to show instead. */
export function webhookIdOf({ params }: Pick<PageRequest, 'params'>): Result<WebhookId, ErrorPage> {
  const id = parseWebhookId(params.id ?? '');
  return id === undefined ? err(errorPage('not_found')) : ok(id);
}

/** Finds the webhook whose id is in the address of the page, or returns the error page to show instead. */
export async function findWebhook(
  { showWebhook }: Pick<PageUseCases, 'showWebhook'>,
  request: Pick<PageRequest, 'caller' | 'params'>,
): Promise<Result<Found<'showWebhook'>, ErrorPage>> {
  const id = webhookIdOf(request);
  if (!id.ok) return id;
  const found = await showWebhook(request.caller, id.value);
  return found.ok ? ok(found.value) : err(denied(found.error));
}
