import "./mantine.css";
import "./styles.css";
import "./paper/paper.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/queries";
import { LastResort } from "./frame/LastResort";
import { router } from "./router";
import { colours, theme } from "./theme";

const root = document.getElementById("app");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={colours} forceColorScheme="light">
        <LastResort>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </LastResort>
      </MantineProvider>
    </StrictMode>,
  );
}
