// "This or null", as the contract writes it.
import { Type } from 'typebox';

export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
