import type { AuditEvent } from '../audit/audit-event.ts';

/**
 * How the code of a new link reaches its person. `show`: the caller gets the code and hands it over. `mail`: no one gets
 * the code; the reaction `mail` makes another one when it sends the message, so that a code is never stored.
 */
export type LinkDelivery = 'show' | 'mail';

/** The details of the event of a link that is mailed. */
export const MAILED = { mailed: true } as const;

/** Whether the link that the event is about is mailed. */
export const isMailed = ({ details }: Pick<AuditEvent, 'details'>): boolean => details.mailed === true;
