// The part of the library that is used; it has no types of its own.
declare module 'punycode/punycode.es6.js' {
  export function decode(label: string): string
}
