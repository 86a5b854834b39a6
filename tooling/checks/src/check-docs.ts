import { outdatedDocuments } from './documents.ts';

const outdated = await outdatedDocuments();
for (const path of outdated) {
  console.error(`${path} is not what the code prints: run "npm run docs" and commit what it writes`);
}
process.exitCode = outdated.length > 0 ? 1 : 0;
