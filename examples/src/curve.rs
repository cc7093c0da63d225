//! Curves of a run as a picture.

use plotters::prelude::*;
use std::path::Path;

/// A line of the picture.
pub struct Series<'a> {
    pub name: &'a str,
    /// Values of x and y, in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
}

/// Writes the lines as an SVG file with the names of its axes.
///
/// # Errors
/// A sentence that names the file where it cannot be written; also when there is no point.
pub fn save(path: &Path, title: &str, axes: (&str, &str), lines: &[Series]) -> Result<(), String> {
    save_with_dots(path, title, axes, lines, &[])
}

/// As [`save`], with points that no line joins.
///
/// # Errors
/// As [`save`].
pub fn save_with_dots(
    path: &Path,
    title: &str,
    axes: (&str, &str),
    lines: &[Series],
    dots: &[Series],
) -> Result<(), String> {
    let failed = |e: &dyn std::fmt::Display| format!("{}: cannot draw the curve: {e}", path.display());
    let points = || lines.iter().chain(dots).flat_map(|series| &series.points);
    let Some(&(x, y)) = points().next() else { return Err(failed(&"there are no points")) };
    let wide = |(low, high): (f64, f64), v: f64| (low.min(v), high.max(v));
    let (x0, x1) = points().fold((x, x), |range, p| wide(range, p.0));
    let (y0, y1) = points().fold((y, y), |range, p| wide(range, p.1));
    let margin = |low: f64, high: f64| if high > low { 0.0 } else { low.abs().max(1.0) * 0.5 };
    let (dx, dy) = (margin(x0, x1), margin(y0, y1));

    let area = SVGBackend::new(path, (800, 480)).into_drawing_area();
    area.fill(&WHITE).map_err(|e| failed(&e))?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .margin_right(28)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(x0 - dx..x1 + dx, y0 - dy..y1 + dy)
        .map_err(|e| failed(&e))?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(axes.0).y_desc(axes.1).light_line_style(WHITE);
    // Whole numbers without a point, and none of the digits that sums of steps leave behind.
    mesh.x_label_formatter(&|x| ((x * 1e9).round() / 1e9).to_string());
    mesh.draw().map_err(|e| failed(&e))?;
    let color = |n| Palette99::pick(n).to_rgba();
    for (n, series) in dots.iter().enumerate() {
        let color = color(lines.len() + n);
        let circle = move |at| Circle::new(at, 2, color.filled());
        let drawn = chart.draw_series(series.points.iter().copied().map(circle)).map_err(|e| failed(&e))?;
        drawn.label(series.name).legend(move |(x, y)| Circle::new((x + 10, y), 2, color.filled()));
    }
    for (n, line) in lines.iter().enumerate() {
        let color = color(n);
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), color.stroke_width(2)))
            .map_err(|e| failed(&e))?
            .label(line.name)
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    if lines.len() + dots.len() > 1 {
        let mut labels = chart.configure_series_labels();
        labels.background_style(WHITE.mix(0.8)).border_style(BLACK).draw().map_err(|e| failed(&e))?;
    }
    area.present().map_err(|e| failed(&e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_a_picture_and_none_is_an_error() {
        let folder = std::env::temp_dir().join(format!("lawson-curve-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("loss.svg");
        let line = |points| Series { name: "loss", points };
        save(&path, "training", ("step", "loss"), &[line(vec![(0.0, 2.0), (1.0, 1.0)])]).expect("drawn");
        let text = std::fs::read_to_string(&path).expect("written");
        assert!(text.contains("training") && text.contains("step") && text.contains("polyline"));
        assert!(save(&path, "training", ("step", "loss"), &[line(vec![])]).is_err());
        let dots = [line(vec![(0.0, 1.0), (1.0, 3.0)])];
        save_with_dots(&path, "measured", ("x", "y"), &[line(vec![(0.0, 1.0), (1.0, 2.0)])], &dots)
            .expect("drawn");
        let text = std::fs::read_to_string(&path).expect("written");
        assert!(text.matches("<circle").count() >= 2 && text.contains("polyline"));
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
