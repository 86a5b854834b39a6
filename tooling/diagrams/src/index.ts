import { directory } from './diagrams/directory.ts';
import { revocation } from './diagrams/revocation.ts';
import { rotation } from './diagrams/rotation.ts';
import { topologyOne } from './diagrams/topology-one.ts';
import { topologyServices } from './diagrams/topology-services.ts';
import { topologySeveral } from './diagrams/topology-several.ts';
import { verifierDiagram } from './diagrams/verifier.ts';

export type { Diagram } from './diagram.ts';
export { printDiagram } from './diagram.ts';

/** The diagrams of the documentation. `npm run docs` writes each to docs/diagrams. */
export const DIAGRAMS = [
  directory,
  revocation,
  rotation,
  topologyOne,
  topologySeveral,
  topologyServices,
  verifierDiagram,
];
