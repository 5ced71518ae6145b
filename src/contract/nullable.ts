// "This or null", as the contract writes it.
import { Type } from 'typebox';

export const nullable = <T extends Type.TSchema>(schema: T, options: { readonly default?: null } = {}) =>
  Type.Union([schema, Type.Null()], options);
