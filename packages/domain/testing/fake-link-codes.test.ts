import { linkCodesContract } from './contracts/index.ts';
import { createFakeLinkCodes } from './fake-link-codes.ts';

linkCodesContract('fake', createFakeLinkCodes);
