import { CREDENTIAL_ID } from '../../../input/parsers.ts';

/** The argument that is the id of a credential. */
export const CREDENTIAL = { ...CREDENTIAL_ID, description: "The credential's id" } as const;
