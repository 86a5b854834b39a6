/** For responses that depend on the caller. */
export const PRIVATE = 'private, no-cache';
