// The part of the library that is used, since the library has no types of its own.
declare module 'punycode/punycode.es6.js' {
  export function decode(label: string): string
}
