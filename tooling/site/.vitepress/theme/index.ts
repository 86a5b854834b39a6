// VitePress looks for the theme here. The style sheet follows the default theme's, whose values it replaces.
export { theme as default } from '../../src/theme/theme.ts';

import '../../src/theme/style.css';
