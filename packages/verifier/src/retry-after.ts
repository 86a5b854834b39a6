const LONGEST_S = 3600;

/** The seconds of a `Retry-After` header (RFC 9110 section 10.2.3); 1 if there are none, or too many. */
export function retryAfterOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isInteger(seconds) && seconds > 0 && seconds <= LONGEST_S ? seconds : 1;
}
