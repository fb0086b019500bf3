// The sign-up that this browser began, kept for its tab, so that a reload does not lose it. It
// verifies nothing without the mailed code.
export type OpenSignUp = { id: string; email: string; sent_at: number }

const key = 'sign-up'

export function keepSignUp(signUp: OpenSignUp): void {
  sessionStorage.setItem(key, JSON.stringify(signUp))
}

export function readSignUp(): OpenSignUp | null {
  const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  return isOpenSignUp(value) ? value : null
}

export function endSignUp(): void {
  sessionStorage.removeItem(key)
}

function isOpenSignUp(value: unknown): value is OpenSignUp {
  return typeof value === 'object' && value !== null && 'id' in value && 'sent_at' in value
}
