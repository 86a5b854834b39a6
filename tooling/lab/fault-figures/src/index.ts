export { atMost, type Figure, none, recordFigures, recordSkip } from './figures.ts';
export { isFullSize, sized } from './size.ts';
