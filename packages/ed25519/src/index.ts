import { openLibsodium } from './by-libsodium.ts';
import { ed25519ByNode } from './by-node.ts';
import type { SignEd25519, VerifyEd25519 } from './ed25519.ts';

/** The fastest library that this machine has. */
const ed25519 = openLibsodium() ?? ed25519ByNode;

/** Verifies a signature. Takes 50 to 110 µs, in which the event loop waits. */
export const verifyEd25519: VerifyEd25519 = ed25519.verify;

/** Signs a message. Takes 40 to 90 µs, in which the event loop waits. */
export const signEd25519: SignEd25519 = ed25519.sign;
