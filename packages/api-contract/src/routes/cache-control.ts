/** Of an answer that depends on the caller. */
export const PRIVATE = 'private, no-cache';
