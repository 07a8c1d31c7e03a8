/** A link that looks like a button. */
import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type AnchorButtonProps = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>;

export const LinkButton = createLink((props: AnchorButtonProps) => (
  <Button component="a" {...props} />
));
