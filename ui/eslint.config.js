import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import { layers } from './scripts/layers.js';

const house = { plugins: { house: { rules: { layers } } } };

export default ts.config(
  { ignores: ['dist/', 'node_modules/', 'src/shared/api/schema.d.ts'] },
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  house,
  {
    rules: {
      'house/layers': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // What a scanned system wrote is only ever text.
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'Text of others is never markup.' },
        { property: 'outerHTML', message: 'Text of others is never markup.' },
        { property: 'insertAdjacentHTML', message: 'Text of others is never markup.' },
      ],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
    rules: {
      'svelte/no-at-html-tags': 'error',
      // The Content-Security-Policy refuses style attributes; `style:` directives go through the object model.
      'no-restricted-syntax': ['error', { selector: 'SvelteAttribute[key.name="style"]', message: 'Use a class or style:property.' }],
      'svelte/no-navigation-without-resolve': 'off',
      'svelte/prefer-svelte-reactivity': 'off',
      'svelte/require-each-key': 'error',
      'svelte/button-has-type': 'error',
      'no-undef': 'off',
      'prefer-const': 'off',
    },
  },
  { files: ['**/*.test.ts', 'tests/**'], rules: { 'max-lines': 'off' } },
);
