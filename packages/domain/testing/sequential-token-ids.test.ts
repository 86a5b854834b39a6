import { tokenIdGeneratorContract } from './contracts/token-id-generator-contract.ts';
import { createSequentialTokenIds } from './sequential-token-ids.ts';

tokenIdGeneratorContract('The sequence', () => createSequentialTokenIds());
