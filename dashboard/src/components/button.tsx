// Buttons, and links that look like them.
import type { ComponentProps } from 'react'

type Look = 'primary' | 'secondary' | 'ghost' | 'danger'

const base =
  'inline-flex items-center justify-center gap-2 rounded-md font-medium transition-colors ' +
  'whitespace-nowrap disabled:opacity-60'
const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong shadow-card',
  secondary: 'bg-surface text-ink border border-line hover:bg-sunken shadow-card',
  ghost: 'text-muted hover:text-ink hover:bg-sunken',
  danger: 'bg-bad-fill text-on-accent hover:brightness-110 shadow-card',
}
const sizes = { md: 'h-9 px-3.5', sm: 'h-7 px-2.5 text-sm', icon: 'size-8' }

export function buttonClass(look: Look = 'secondary', size: keyof typeof sizes = 'md'): string {
  return `${base} ${looks[look]} ${sizes[size]}`
}

type Props = ComponentProps<'button'> & { look?: Look; size?: keyof typeof sizes; busy?: boolean }

/**
 * While `busy` is true, a click is being worked on: the button keeps its focus and ignores another
 * click.
 */
export function Button({ look, size, busy = false, className = '', onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      aria-disabled={busy || undefined}
      className={`${buttonClass(look, size)} ${busy ? 'cursor-progress opacity-75' : ''} ${className}`}
    />
  )
}
