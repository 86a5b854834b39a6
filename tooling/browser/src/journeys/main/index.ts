export { HANDS } from './hands.ts';
export { PERSON_JOURNEYS } from './person-journeys.ts';
export type { Journeys, Scene, Site } from './scene.ts';
export { LISTED, TOKEN_JOURNEYS } from './token-journeys.ts';
