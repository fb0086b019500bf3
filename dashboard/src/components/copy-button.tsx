// Copies a text, and shows for two seconds that it did.
import { useEffect, useState } from 'react'
import { common } from '../messages/common-texts.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <Button
      look="ghost"
      size="icon"
      aria-label={isCopied ? common.copied : common.copy}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => setCopied(false),
        )
      }}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
    </Button>
  )
}
