import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** 松, the green of pine: the one colour of the console. Shade 8 carries white text at 7:1. */
const matsu: MantineColorsTuple = [
  "#eef6f4",
  "#dcebe8",
  "#b7d6d0",
  "#8fc0b7",
  "#6cada2",
  "#549f93",
  "#3d8a7e",
  "#2b7469",
  "#1f5f57",
  "#154a44",
];

/** Greys with a little of the paper's warmth: borders, skeletons, disabled buttons. */
const gray: MantineColorsTuple = [
  "#faf8f4",
  "#f4f1ea",
  "#ece8df",
  "#e4dfd5",
  "#cbc5b8",
  "#aea798",
  "#8a8477",
  "#69645a",
  "#4a463f",
  "#2e2b27",
];

const FONTS =
  '"Hiragino Sans", "Hiragino Kaku Gothic ProN", "Yu Gothic UI", "Noto Sans JP", "Noto Sans CJK JP", Meiryo, sans-serif';

export const theme = createTheme({
  colors: { matsu, gray },
  primaryColor: "matsu",
  primaryShade: 8,
  black: "#1f2a28",
  fontFamily: FONTS,
  headings: { fontFamily: FONTS, fontWeight: "600" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontSizes: { xs: "0.8125rem", sm: "0.9375rem", md: "1rem", lg: "1.125rem", xl: "1.25rem" },
  components: {
    InputWrapper: { defaultProps: { labelProps: { mb: 4 } } },
  },
  lineHeights: { xs: "1.6", sm: "1.65", md: "1.7", lg: "1.6", xl: "1.5" },
});

/** Mantine sets these with its own greys and its own red, which is too light for small text on white. */
export const colours: CSSVariablesResolver = () => ({
  variables: {},
  dark: {},
  light: {
    "--mantine-color-body": "var(--surface)",
    "--mantine-color-text": "var(--ink)",
    "--mantine-color-dimmed": "var(--soft)",
    "--mantine-color-placeholder": "#6b7572",
    "--mantine-color-error": "var(--red)",
    "--mantine-color-default-border": "#cbc5b8",
  },
});
