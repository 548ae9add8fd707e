// The tests that drive the real program through a real browser: `npm run test:browser`, after `npm run build`.

import { defineConfig } from 'vitest/config';
import base from '../vite.config.ts';

export default defineConfig({
  ...base,
  test: {
    include: ['browser/**/*.test.ts'],
    environment: 'node',
    // One server and one browser at a time: machines that run this are small, and what waits in a queue looks like a fault.
    fileParallelism: false,
    retry: 0,
    testTimeout: 45_000,
    hookTimeout: 45_000,
    reporters: ['verbose'],
  },
});
