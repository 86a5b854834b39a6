import { expect, test } from 'vitest';
import { accessibleSearch } from './accessible-search.ts';

test('a component of the search that is not as expected stops the build', () => {
  expect(() => accessibleSearch('<div role="dialog">', '/theme/VPLocalSearchBox.vue')).toThrow(
    "VitePress's VPLocalSearchBox.vue has changed: no role=",
  );
  expect(accessibleSearch('<div>', '/theme/VPNav.vue')).toBeUndefined();
});
