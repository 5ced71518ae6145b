// What travels between the main thread and a schema worker.
import type { Dialect } from './bounds.ts';
import type { Checked, Validated } from './compiler.ts';

export type SchemaJob =
  | { readonly kind: 'check'; readonly text: string; readonly dialect: Dialect }
  | { readonly kind: 'validate'; readonly text: string; readonly dialect: Dialect; readonly value: unknown };

export type SchemaAnswer =
  | { readonly kind: 'checked'; readonly checked: Checked }
  | { readonly kind: 'validated'; readonly validated: Validated }
  | { readonly kind: 'broken'; readonly because: string };
