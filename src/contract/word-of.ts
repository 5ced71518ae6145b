// "One of these words", as the contract writes it: with the type that generators of clients look for.
import { Type } from 'typebox';

export const wordOf = <const Words extends string[]>(words: [...Words]) => Type.Enum(words, { type: 'string' });
