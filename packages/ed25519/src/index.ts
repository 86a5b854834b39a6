import { openLibsodium } from './by-libsodium.ts';
import { ed25519ByNode } from './by-node.ts';
import type { SignEd25519, VerifyEd25519 } from './ed25519.ts';

/** The fastest library that this machine has. */
const ed25519 = openLibsodium() ?? ed25519ByNode;

/** Verifies a signature. It returns after 50 to 110 µs, and does not use a thread. */
export const verifyEd25519: VerifyEd25519 = ed25519.verify;

/** Signs a message. It returns after 40 to 90 µs, and does not use a thread. */
export const signEd25519: SignEd25519 = ed25519.sign;
