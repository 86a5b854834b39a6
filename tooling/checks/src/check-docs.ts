import { outdatedDocuments } from './documents.ts';

const outdated = await outdatedDocuments();
for (const path of outdated) {
  console.error(`${path} is out of date: run "npm run docs" and commit the changes`);
}
process.exitCode = outdated.length > 0 ? 1 : 0;
