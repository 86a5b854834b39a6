export { type Figure, recordFigures, recordSkip } from './figures.ts';
export { isFullSize, sized } from './size.ts';
