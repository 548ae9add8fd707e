import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { weighed } from './scripts/weight.ts';

const layer = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url));

// The server that `npm run dev` passes requests on to.
const server = process.env.TRACEHOUND_SERVER ?? 'http://127.0.0.1:7319';

export default defineConfig({
  base: '/console/',
  plugins: [svelte(), weighed()],
  resolve: {
    alias: {
      $app: layer('app'),
      $features: layer('features'),
      $entities: layer('entities'),
      $shared: layer('shared'),
    },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The page's Content-Security-Policy allows no inline script and no data: addresses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    reportCompressedSize: true,
  },
  server: {
    proxy: {
      '/v1': { target: server, ws: true, changeOrigin: false },
      '/api': { target: server, changeOrigin: false },
      '/console/login': { target: server, changeOrigin: false },
      '/console/logout': { target: server, changeOrigin: false },
    },
  },
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
    environment: 'node',
  },
});
